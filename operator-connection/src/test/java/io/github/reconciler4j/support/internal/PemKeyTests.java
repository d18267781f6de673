package io.github.reconciler4j.support.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.interfaces.ECPrivateKey;
import java.security.spec.RSAKeyGenParameterSpec;
import java.security.spec.RSAPrivateCrtKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys of the test are used nowhere else. */
class PemKeyTests {

    /** What 'openssl ecparam -name prime256v1 -genkey -noout' writes. */
    private static final String SEC1 = """
            -----BEGIN EC PRIVATE KEY-----
            MHcCAQEEIKYQqjk0nyQhf+Ij8i1Te1a4Km0TGAm30+THOiSWEq5zoAoGCCqGSM49
            AwEHoUQDQgAE8wLviKUPtPZgt36yiKMto8Nf7K5tnb1WcT040MInO5D9b7RClxPF
            GLzqnhlSv0qGzwzOwHwFn3xJV88LzFlIJQ==
            -----END EC PRIVATE KEY-----
            """;

    /** The same key from 'openssl pkcs8 -topk8 -nocrypt'. */
    private static final String ELLIPTIC = """
            -----BEGIN PRIVATE KEY-----
            MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgphCqOTSfJCF/4iPy
            LVN7VrgqbRMYCbfT5Mc6JJYSrnOhRANCAATzAu+IpQ+09mC3frKIoy2jw1/srm2d
            vVZxPTjQwic7kP1vtEKXE8UYvOqeGVK/SobPDM7AfAWffElXzwvMWUgl
            -----END PRIVATE KEY-----
            """;

    private static final int RSA_HEADER = 26;

    private static PrivateKey parse(String pem) {
        return PemKey.parse(pem.getBytes(StandardCharsets.US_ASCII));
    }

    private static String pem(String label, byte[] der) {
        return "-----BEGIN " + label + "-----\n" + Base64.getMimeEncoder().encodeToString(der) + "\n-----END " + label
                + "-----\n";
    }

    @Test
    void keyOfACurveWhenInEitherFormIsTheSame() {
        ECPrivateKey expected = (ECPrivateKey) parse(ELLIPTIC);
        assertSame(parse(SEC1), expected);
        String parameters = "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n";
        assertSame(parse(parameters + SEC1), expected);
    }

    private static void assertSame(PrivateKey key, ECPrivateKey expected) {
        assertThat(key).isInstanceOfSatisfying(ECPrivateKey.class, found -> {
            assertThat(found.getS()).isEqualTo(expected.getS());
            assertThat(found.getParams().getCurve())
                    .isEqualTo(expected.getParams().getCurve());
        });
    }

    /** Returns a key whose numbers have the right sizes, but are not prime, because finding such numbers takes seconds. */
    private static PrivateKey rsa(int size) throws GeneralSecurityException {
        Random random = new Random(size);
        BigInteger modulus = new BigInteger(size, random).setBit(size - 1);
        BigInteger exponent = new BigInteger(size - 1, random);
        BigInteger half = new BigInteger(size / 2, random).setBit(size / 2 - 1);
        return KeyFactory.getInstance("RSA")
                .generatePrivate(new RSAPrivateCrtKeySpec(
                        modulus, RSAKeyGenParameterSpec.F4, exponent, half, half, half, half, half));
    }

    @Test
    void keyOfRsaWhenInEitherFormIsTheSame() throws GeneralSecurityException {
        for (int size : List.of(1024, 2048, 4096)) {
            PrivateKey key = rsa(size);
            byte[] pkcs8 = key.getEncoded();
            byte[] pkcs1 = Arrays.copyOfRange(pkcs8, RSA_HEADER, pkcs8.length);
            assertThat(parse(pem("PRIVATE KEY", pkcs8))).isEqualTo(key);
            assertThat(parse(pem("RSA PRIVATE KEY", pkcs1))).isEqualTo(key);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"RSA", "EC", "RSASSA-PSS", "Ed25519", "Ed448"})
    void keyOfAnyAlgorithmOfASignatureIsRead(String algorithm) throws GeneralSecurityException {
        PrivateKey key =
                KeyPairGenerator.getInstance(algorithm).generateKeyPair().getPrivate();
        assertThat(parse(pem("PRIVATE KEY", key.getEncoded()))).isEqualTo(key);
    }

    @Test
    void keyWhenInAnotherFormOrBrokenIsNone() {
        assertThat(parse("")).isNull();
        assertThat(parse(SEC1.replace("EC PRIVATE", "ENCRYPTED PRIVATE"))).isNull();
        assertThat(parse(SEC1.replace("EC PRIVATE", "RSA PRIVATE"))).isNull();
        assertThat(parse(SEC1.replace("-----END EC", "-----END RSA"))).isNull();
        byte[] der = Base64.getMimeDecoder().decode(SEC1.replaceAll("-----[A-Z ]+-----", ""));
        for (int length = 0; length < der.length; length++) {
            assertThat(parse(pem("EC PRIVATE KEY", Arrays.copyOf(der, length)))).isNull();
        }
        for (int position = 0; position < der.length; position++) {
            byte[] changed = der.clone();
            changed[position] ^= (byte) 0xff;
            parse(pem("EC PRIVATE KEY", changed)); // throws nothing
        }
    }
}

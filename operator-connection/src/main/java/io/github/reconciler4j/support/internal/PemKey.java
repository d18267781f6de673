package io.github.reconciler4j.support.internal;

import java.io.ByteArrayOutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Private keys in the usual forms of PEM: PKCS #8 (RFC 5958), and the older ones of RSA (PKCS #1, RFC 8017) and of elliptic curves
 * (SEC 1, RFC 5915), which become PKCS #8 by a few bytes around them.
 */
public final class PemKey {

    private static final Pattern PEM =
            Pattern.compile("-----BEGIN (RSA |EC |)PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END \\1PRIVATE KEY-----");

    private static final List<String> ALGORITHMS = List.of("RSA", "EC", "RSASSA-PSS", "EdDSA");

    private static final int SEQUENCE = 0x30;
    private static final int OCTETS = 4;
    private static final int CURVE = 0xa0;
    private static final byte[] VERSION = {2, 1, 0};
    private static final byte[] RSA = HexFormat.of().parseHex("06092a864886f70d0101010500");
    private static final byte[] ELLIPTIC = HexFormat.of().parseHex("06072a8648ce3d0201");

    private PemKey() {}

    /** Return the first key of a text, null if its form is another one. */
    public static @Nullable PrivateKey parse(byte[] text) {
        Matcher pem = PEM.matcher(new String(text, StandardCharsets.ISO_8859_1));
        if (!pem.find()) {
            return null;
        }
        try {
            byte[] key = Base64.getMimeDecoder().decode(pem.group(2));
            return switch (pem.group(1)) {
                case "RSA " -> key("RSA", pkcs8(RSA, key));
                case "EC " -> key("EC", pkcs8(concat(ELLIPTIC, curve(key)), key));
                default -> pkcs8(key);
            };
        } catch (GeneralSecurityException
                | IllegalArgumentException
                | BufferUnderflowException
                | IndexOutOfBoundsException e) {
            return null;
        }
    }

    private static PrivateKey pkcs8(byte[] key) throws GeneralSecurityException {
        GeneralSecurityException failure = new InvalidKeyException("The algorithm of the key is unknown");
        for (String algorithm : ALGORITHMS) {
            try {
                return key(algorithm, key);
            } catch (GeneralSecurityException e) {
                failure.addSuppressed(e);
            }
        }
        throw failure;
    }

    private static PrivateKey key(String algorithm, byte[] pkcs8) throws GeneralSecurityException {
        return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
    }

    private static byte[] pkcs8(byte[] algorithm, byte[] key) {
        return encode(SEQUENCE, concat(VERSION, encode(SEQUENCE, algorithm), encode(OCTETS, key)));
    }

    /** Return the identifier of the curve, which comes after version and number. */
    private static byte[] curve(byte[] key) {
        ByteBuffer fields = next(ByteBuffer.wrap(key), SEQUENCE);
        while (Byte.toUnsignedInt(fields.get(fields.position())) != CURVE) {
            next(fields, Byte.toUnsignedInt(fields.get(fields.position())));
        }
        ByteBuffer curve = next(fields, CURVE);
        byte[] bytes = new byte[curve.remaining()];
        curve.get(bytes);
        return bytes;
    }

    /** Return the content of the next element of DER, which must have the given tag. */
    private static ByteBuffer next(ByteBuffer from, int tag) {
        int found = Byte.toUnsignedInt(from.get());
        int length = Byte.toUnsignedInt(from.get());
        if (length > 0x7f) {
            int bytes = length & 0x7f;
            length = 0;
            for (int i = 0; i < bytes; i++) {
                length = length << 8 | Byte.toUnsignedInt(from.get());
            }
        }
        if (found != tag || length < 0 || length > from.remaining()) {
            throw new BufferUnderflowException();
        }
        ByteBuffer content = from.slice(from.position(), length);
        from.position(from.position() + length);
        return content;
    }

    private static byte[] encode(int tag, byte[] content) {
        byte[] head = content.length < 0x80
                ? new byte[] {(byte) tag, (byte) content.length}
                : content.length < 0x100
                        ? new byte[] {(byte) tag, (byte) 0x81, (byte) content.length}
                        : new byte[] {(byte) tag, (byte) 0x82, (byte) (content.length >> 8), (byte) content.length};
        return concat(head, content);
    }

    private static byte[] concat(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }
}

package io.github.reconciler4j.cache.internal;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PackerTests {

    private final Packer packer = new Packer();

    private static Bytes bytes(byte[] text) {
        Bytes bytes = new Bytes(Math.max(1, text.length));
        bytes.append(text, 0, text.length);
        return bytes;
    }

    private static PackCodes codesFor(byte[] text) {
        PackTokens.Counts counts = new PackTokens.Counts();
        new Packer().count(bytes(text), new PackDictionary(new byte[0]), counts);
        return counts.codes();
    }

    private byte[] pack(byte[] text, PackDictionary dictionary, PackCodes codes) {
        byte[] packed = packer.pack(bytes(text), dictionary, codes);
        assertThat(Unpacker.unpack(packed, dictionary, codes)).isEqualTo(text);
        return packed;
    }

    /** Few different bytes, so that there are repetitions of all lengths and distances. */
    @Provide
    Arbitrary<byte[]> texts() {
        return Arbitraries.bytes()
                .between((byte) -1, (byte) 2)
                .array(byte[].class)
                .ofMaxSize(3000);
    }

    @Property(tries = 300)
    void unpackWhenAnythingWasPackedGivesItBack(
            @ForAll("texts") byte[] dictionary, @ForAll("texts") byte[] sample, @ForAll("texts") byte[] text) {
        PackDictionary first = new PackDictionary(dictionary);
        PackDictionary second = new PackDictionary(sample);
        PackCodes codes = codesFor(sample);

        pack(text, first, codes);
        pack(sample, second, codes);
        pack(dictionary, second, codes);
        pack(text, first, codes);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 4, 5, 1023, 1024, 65_534, 65_535, 65_536, 65_540, 200_000, 400_000})
    void packWhenATextOfAnySizeComesTwiceInOneGivesItBack(int size) {
        byte[] noise = new byte[size];
        new Random(size).nextBytes(noise);
        byte[] twice = Arrays.copyOf(noise, 2 * size);
        System.arraycopy(noise, 0, twice, size, size);
        PackDictionary dictionary = new PackDictionary(Arrays.copyOf(noise, Math.min(size, PackDictionary.MOST_BYTES)));

        pack(twice, dictionary, codesFor(noise));
        pack(new byte[2 * size], dictionary, codesFor(noise));
    }

    @Test
    void packWhenTextStandsInDictionaryLeavesNextToNothing() {
        byte[] text = new byte[4000];
        new Random(1).nextBytes(text);

        assertThat(pack(text, new PackDictionary(text), codesFor(text))).hasSizeLessThan(12);
    }

    @Test
    void packWhenCodesDoNotSuitTheTextMakesOwnOnes() {
        PackCodes unsuited = codesFor("x".repeat(2000).getBytes(US_ASCII));
        byte[] text = new byte[8000];
        Random random = new Random(1);
        for (int i = 0; i < text.length; i++) {
            text[i] = (byte) ('A' + random.nextInt(16)); // four bits each
        }

        int own = pack(text, new PackDictionary(new byte[0]), unsuited).length;

        assertThat(own).isLessThan(text.length * 6 / 10);
    }

    @Test
    void prefixCodeWhenOneSymbolIsFarMoreFrequentThanAllOthersKeepsWithinTheLongest() {
        int[] counts = new int[PackCodes.SYMBOLS];
        for (int i = 0; i < 31; i++) {
            counts[i] = 1 << 30 - i; // as steep as can be
        }
        PrefixCode code = PrefixCode.of(counts);
        BitWriter out = new BitWriter();
        out.clear(PackCodes.SYMBOLS * 2);
        for (int symbol = 0; symbol < counts.length; symbol++) {
            code.write(symbol, out);
        }

        BitReader in = new BitReader(out.toArray());
        for (int symbol = 0; symbol < counts.length; symbol++) {
            assertThat(code.read(in)).isEqualTo(symbol);
        }
    }
}

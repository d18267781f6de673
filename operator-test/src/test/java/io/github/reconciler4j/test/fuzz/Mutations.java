package io.github.reconciler4j.test.fuzz;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Damages inputs in the ways that parsers are known to stumble over. The same random numbers give the same input. */
public final class Mutations {

    /** Stands for contents that no message may show. */
    public static final String SECRET = "s3cr3t-c0nt3nt";

    private static final int LONGEST = 200_000;
    private static final int DEEP = 20_000;
    private static final List<String> TOKENS = List.of(
            "null",
            "true",
            "-0",
            "1e999999999",
            "99999999999999999999",
            "\"\"",
            "{}",
            "[]",
            "{\"a\":",
            "[",
            "]",
            "}",
            ",",
            ":",
            "\"",
            "\\u0000",
            "\\ud800",
            "\\",
            "\u0000",
            "\ufeff",
            "\r\n",
            "\n\n",
            " ",
            "\t",
            "---\n",
            "%YAML 1.3\n",
            "&a ",
            "*a",
            "<<: *a\n",
            "!!binary ",
            "? ",
            "- ",
            "| ",
            "~1",
            "/-",
            "/..",
            "/99999999999",
            "-----BEGIN CERTIFICATE-----\n",
            "-----END CERTIFICATE-----\n",
            "-----BEGIN PRIVATE KEY-----\n",
            "=",
            "MIIB");

    private final Random random;
    private final List<byte[]> corpus;

    Mutations(Random random, List<byte[]> corpus) {
        this.random = random;
        this.corpus = corpus;
    }

    /** Returns an input of the corpus with one to five damages. */
    byte[] next() {
        byte[] input = any();
        for (int i = 1 + random.nextInt(5); i > 0; i--) {
            input = damaged(input);
        }
        return input.length > LONGEST ? Arrays.copyOf(input, LONGEST) : input;
    }

    private byte[] any() {
        return corpus.get(random.nextInt(corpus.size()));
    }

    private byte[] damaged(byte[] input) {
        int at = random.nextInt(input.length + 1);
        int end = Math.min(input.length, at + 1 + random.nextInt(random.nextInt(10) == 0 ? 500 : 8));
        return switch (random.nextInt(10)) {
            case 0 -> flipped(input);
            case 1 -> joined(input, at, new byte[] {(byte) random.nextInt(256)}, at);
            case 2 -> joined(input, at, new byte[0], end);
            case 3 -> joined(input, at, token(), at);
            case 4 -> joined(input, at, token(), end);
            case 5 -> joined(input, at, Arrays.copyOfRange(input, at, end), at);
            case 6 -> Arrays.copyOf(input, at);
            case 7 -> spliced(input, at);
            case 8 -> joined(input, at, repeated(input, at, end), at);
            default -> digits(input);
        };
    }

    private byte[] flipped(byte[] input) {
        byte[] copy = input.clone();
        if (copy.length > 0) {
            copy[random.nextInt(copy.length)] ^= (byte) (1 << random.nextInt(8));
        }
        return copy;
    }

    private byte[] token() {
        String token = TOKENS.get(random.nextInt(TOKENS.size()));
        boolean deep = random.nextInt(200) == 0;
        return token.repeat(deep ? 1 + random.nextInt(DEEP) : 1).getBytes(StandardCharsets.UTF_8);
    }

    private byte[] repeated(byte[] input, int at, int end) {
        byte[] part = Arrays.copyOfRange(input, at, end);
        ByteArrayOutputStream copies = new ByteArrayOutputStream();
        for (int i = random.nextInt(random.nextInt(50) == 0 ? 2_000 : 8); i > 0 && copies.size() < LONGEST; i--) {
            copies.writeBytes(part);
        }
        return copies.toByteArray();
    }

    private byte[] spliced(byte[] input, int at) {
        byte[] other = any();
        int from = random.nextInt(other.length + 1);
        return joined(input, at, Arrays.copyOfRange(other, from, other.length), input.length);
    }

    /** Another digit in place of one. */
    private byte[] digits(byte[] input) {
        byte[] copy = input.clone();
        for (int i = 0; i < copy.length; i++) {
            if (copy[i] >= '0' && copy[i] <= '9' && random.nextInt(4) == 0) {
                copy[i] = (byte) ('0' + random.nextInt(10));
            }
        }
        return copy;
    }

    private static byte[] joined(byte[] input, int until, byte[] middle, int from) {
        ByteArrayOutputStream joined = new ByteArrayOutputStream(input.length + middle.length);
        joined.write(input, 0, until);
        joined.writeBytes(middle);
        joined.write(input, from, input.length - from);
        return joined.toByteArray();
    }
}

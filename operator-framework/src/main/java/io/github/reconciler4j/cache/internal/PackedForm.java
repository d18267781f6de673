package io.github.reconciler4j.cache.internal;

import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * Keeps bodies packed against a dictionary, in codes that suit them. A dictionary lives as long as an entry refers to this
 * form. Immutable and safe for use by many threads.
 */
final class PackedForm implements BodyForm {

    private static final String COMMON =
            "{\"apiVersion\":\"v1\",\"kind\":\"\",\"metadata\":{\"name\":\"\",\"namespace\":\"\","
                    + "\"uid\":\"01234567-89ab-4cde-8f01-23456789abcd\",\"resourceVersion\":\"1234567890\",\"generation\":1,"
                    + "\"creationTimestamp\":\"2026-01-01T00:00:00Z\",\"labels\":{\"app.kubernetes.io/name\":\"\",\"app\":\"\"},"
                    + "\"annotations\":{\"kubectl.kubernetes.io/last-applied-configuration\":\"{\\\"apiVersion\\\":\\\"\\n\"},"
                    + "\"ownerReferences\":[{\"apiVersion\":\"apps/v1\",\"kind\":\"\",\"name\":\"\",\"uid\":\"\","
                    + "\"controller\":true,\"blockOwnerDeletion\":true}]},\"spec\":{\"replicas\":1,\"selector\":{},\"template\":{}},"
                    + "\"status\":{\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\",\"reason\":\"\",\"message\":\"\","
                    + "\"lastTransitionTime\":\"2026-01-01T00:00:00Z\"}],\"observedGeneration\":1},\"data\":{\"\":\"\"}}";

    private final PackDictionary dictionary;
    private final PackCodes codes;
    private final PackerPool pool;

    private PackedForm(PackDictionary dictionary, PackCodes codes, PackerPool pool) {
        this.dictionary = dictionary;
        this.codes = codes;
        this.pool = pool;
    }

    /** For objects of which nothing is known but that they are objects of Kubernetes. */
    static PackedForm create(PackerPool pool) {
        byte[] text = COMMON.getBytes(US_ASCII);
        PackTokens.Counts counts = new PackTokens.Counts();
        for (byte letter : text) {
            counts.literal(letter);
        }
        return new PackedForm(new PackDictionary(text), counts.codes(), pool);
    }

    /** For objects that resemble those in the text, and those after it. */
    static PackedForm create(byte[] text, Iterable<Bytes> objects, PackerPool pool) {
        PackDictionary dictionary = new PackDictionary(text);
        PackTokens.Counts counts = new PackTokens.Counts();
        Packer packer = pool.take();
        objects.forEach(object -> packer.count(object, dictionary, counts));
        pool.giveBack(packer);
        return new PackedForm(dictionary, counts.codes(), pool);
    }

    /** What is kept of a text. */
    byte[] encode(Bytes json) {
        Packer packer = pool.take();
        byte[] packed = packer.pack(json, dictionary, codes);
        pool.giveBack(packer);
        return packed;
    }

    @Override
    public byte[] decode(Object body) {
        return Unpacker.unpack((byte[]) body, dictionary, codes);
    }
}

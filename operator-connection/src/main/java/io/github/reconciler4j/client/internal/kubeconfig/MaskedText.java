package io.github.reconciler4j.client.internal.kubeconfig;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What a plug-in has printed, made fit for a message: one short line in which only plain words are left. All that can be part of a
 * secret is masked: words with digits, signs or capitals within, long words, words such as password, with the words after them, and
 * the values that the kubeconfig gives to the plug-in.
 */
final class MaskedText {

    private static final int MAX_LENGTH = 200;
    private static final int MAX_WORD = 16;
    private static final String MASK = "***";

    private static final Pattern CONTROLS = Pattern.compile("\\x1b\\[[0-9;?]*[A-Za-z]|\\p{Cntrl}|\\p{Cf}");

    /** A word of a language, perhaps with an apostrophe, and what can stand before and after it. */
    private static final Pattern WORD =
            Pattern.compile("[(\"'`]?\\p{L}\\p{Ll}*('\\p{Ll}{1,2})?[)\"'`]?[.,;!?]?|[-:,.;]|\\d{1,3}");

    private static final Pattern SENSITIVE = Pattern.compile(
            "(?i).*(token|passw|secret|credential|bearer|basic|authori[sz]ation|cookie|session|passcode|passphrase|\\bpin\\b|key"
                    + "|jwt|otp|signature|assertion|\\bcode\\b).*");

    private MaskedText() {}

    /**
     * Return the text as one line, {@code ""} if there is nothing but white space.
     *
     * @param secrets texts that must not be shown, even if they look like words
     */
    static String of(byte[] printed, Collection<String> secrets) {
        Set<String> hidden = new HashSet<>();
        secrets.forEach(secret -> hidden.addAll(List.of(secret.split("[^\\p{L}\\p{N}]+"))));
        String text =
                CONTROLS.matcher(new String(printed, StandardCharsets.UTF_8)).replaceAll(" ");
        StringBuilder line = new StringBuilder();
        Following following = Following.NOTHING;
        for (String word : text.strip().split("\\s+")) {
            boolean isSensitive = SENSITIVE.matcher(word).matches();
            boolean isShown = !isSensitive && following == Following.NOTHING && isPlain(word, hidden);
            append(line, isShown || word.isEmpty() ? word : MASK);
            following = following.after(word, isSensitive);
            if (line.length() > MAX_LENGTH) {
                return line.substring(0, MAX_LENGTH) + "...";
            }
        }
        return line.toString();
    }

    private static void append(StringBuilder line, String word) {
        if (!word.isEmpty() && !(word.equals(MASK) && line.toString().endsWith(MASK))) {
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
    }

    private static boolean isPlain(String word, Set<String> hidden) {
        String bare = word.replaceAll("[^\\p{L}\\p{N}]", "");
        return word.length() <= MAX_WORD
                && WORD.matcher(word).matches()
                && (bare.length() < 2 || !hidden.contains(bare));
    }

    /** The text after a word such as password. */
    private enum Following {
        NOTHING,
        PERHAPS_A_SECRET,
        A_SECRET;

        Following after(String word, boolean isSensitive) {
            boolean opens = word.endsWith(":") || word.endsWith("=") || word.equals("is") || word.equals("was");
            if (isSensitive) {
                return opens ? A_SECRET : PERHAPS_A_SECRET;
            }
            return switch (this) {
                case NOTHING -> NOTHING;
                case PERHAPS_A_SECRET -> opens ? A_SECRET : NOTHING;
                case A_SECRET -> word.matches(".*[.;!?]") ? NOTHING : A_SECRET;
            };
        }
    }
}

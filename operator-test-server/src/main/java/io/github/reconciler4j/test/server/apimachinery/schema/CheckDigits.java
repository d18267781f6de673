package io.github.reconciler4j.test.server.apimachinery.schema;

import com.google.re2j.Pattern;

/** Numbers with a check digit. */
final class CheckDigits {

    private static final Pattern ISBN10 = Pattern.compile("[0-9]{9}[0-9X]");
    private static final Pattern ISBN13 = Pattern.compile("[0-9]{13}");
    private static final Pattern CREDIT_CARD = Pattern.compile("4[0-9]{12}([0-9]{3})?|5[1-5][0-9]{14}"
            + "|(222[1-9]|22[3-9][0-9]|2[3-6][0-9]{2}|27[01][0-9]|2720)[0-9]{12}"
            + "|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\\d{3})\\d{11}"
            + "|6[27][0-9]{14}");
    private static final int ELEVEN = 11;
    private static final int TEN = 10;
    private static final int NINE = 9;

    private CheckDigits() {}

    private static String plain(String text) {
        return text.replace("-", "").replace(" ", "");
    }

    static boolean isIsbn10(String text) {
        String digits = plain(text);
        if (!ISBN10.matches(digits)) {
            return false;
        }
        int sum = 0;
        for (int i = 0; i < NINE; i++) {
            sum += (i + 1) * (digits.charAt(i) - '0');
        }
        sum += TEN * (digits.charAt(NINE) == 'X' ? TEN : digits.charAt(NINE) - '0');
        return sum % ELEVEN == 0;
    }

    static boolean isIsbn13(String text) {
        String digits = plain(text);
        if (!ISBN13.matches(digits)) {
            return false;
        }
        int sum = 0;
        for (int i = 0; i < digits.length(); i++) {
            sum += (i % 2 == 0 ? 1 : 3) * (digits.charAt(i) - '0');
        }
        return sum % TEN == 0;
    }

    /** Checks the form of the number and its last digit (Luhn). */
    static boolean isCreditCard(String text) {
        String digits = text.replaceAll("[^0-9]+", "");
        if (!CREDIT_CARD.matches(digits)) {
            return false;
        }
        int sum = 0;
        boolean doubled = false;
        for (int i = digits.length() - 1; i >= 0; i--) {
            int digit = (digits.charAt(i) - '0') * (doubled ? 2 : 1);
            sum += digit > NINE ? digit - NINE : digit;
            doubled = !doubled;
        }
        return sum % TEN == 0;
    }
}

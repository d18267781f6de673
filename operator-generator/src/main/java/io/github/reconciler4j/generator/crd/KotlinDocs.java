package io.github.reconciler4j.generator.crd;

import io.github.reconciler4j.generator.crd.KotlinTokens.Kind;
import io.github.reconciler4j.generator.crd.KotlinTokens.Token;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the KDoc of the classes and properties of a Kotlin source, which is in no class file. It knows declarations only and
 * passes over everything else, so that it needs no compiler of Kotlin. Names are those of {@link Javadocs}.
 */
final class KotlinDocs {

    /** What can be between a KDoc and the word that it belongs to. */
    private static final Set<String> MODIFIERS = Set.of(
            "abstract",
            "actual",
            "annotation",
            "const",
            "data",
            "enum",
            "expect",
            "external",
            "final",
            "inline",
            "inner",
            "internal",
            "lateinit",
            "open",
            "override",
            "private",
            "protected",
            "public",
            "sealed",
            "value",
            "vararg");

    private static final Pattern TAG = Pattern.compile("@(\\w+)\\s*(.*)", Pattern.DOTALL);
    private static final Pattern NAMED = Pattern.compile("\\[?([\\w`]+)]?\\s+(.*)", Pattern.DOTALL);

    private final KotlinTokens tokens;
    private final BiConsumer<String, String> texts;

    private KotlinDocs(KotlinTokens tokens, BiConsumer<String, String> texts) {
        this.tokens = tokens;
        this.texts = texts;
    }

    /** Pass on each name with its text. */
    static void read(String source, BiConsumer<String, String> texts) {
        new KotlinDocs(new KotlinTokens(source), texts).members("", null);
    }

    /**
     * Read declarations up to the end of the body, or of the source.
     *
     * @param prefix what the names of classes start with
     * @param type the class that has these members, null outside of classes
     */
    private void members(String prefix, @Nullable String type) {
        String outer = prefix;
        String doc = null;
        while (tokens.peek() != KotlinTokens.END && !tokens.peek().is("}")) {
            Token token = tokens.next();
            if (token.kind() == Kind.KDOC) {
                doc = token.text();
                continue;
            }
            if (token.is("@")) {
                annotation();
                continue;
            }
            if (token.kind() == Kind.WORD && MODIFIERS.contains(token.text())) {
                continue;
            }
            switch (token.text()) {
                case "package" -> outer = packageName();
                case "class", "interface", "object" -> type(token.text(), outer, doc);
                case "val", "var" -> property(type, doc);
                case "fun" -> function(type, doc);
                case "::" -> tokens.next();
                case "{" -> body();
                case "(" -> rest("(", ")");
                default -> {}
            }
            doc = token.isWord("fun") && tokens.peek().isWord("interface") ? doc : null;
        }
        tokens.next();
    }

    private void body() {
        rest("{", "}");
    }

    /** Go behind the bracket that closes the one which was just read. */
    private void rest(String open, String close) {
        while (tokens.peek() != KotlinTokens.END && !tokens.peek().is(close)) {
            if (tokens.peek().is(open)) {
                tokens.skipBrackets(open, close);
            } else {
                tokens.next();
            }
        }
        tokens.next();
    }

    private String packageName() {
        StringBuilder name = new StringBuilder();
        do {
            name.append(tokens.next().text()).append('.');
        } while (tokens.skip("."));
        return name.toString();
    }

    /** What follows the sign of an annotation: a target, its name, and arguments, or several annotations in brackets. */
    private void annotation() {
        if (tokens.peek().is("[")) {
            tokens.skipBrackets("[", "]");
            return;
        }
        do {
            if (tokens.peek().is("[")) {
                tokens.skipBrackets("[", "]");
                return;
            }
            tokens.next();
        } while (tokens.skip(":") || tokens.skip("."));
        if (tokens.peek().is("<")) {
            tokens.skipBrackets("<", ">");
        }
        if (tokens.peek().is("(")) {
            tokens.skipBrackets("(", ")");
        }
    }

    private void type(String word, String prefix, @Nullable String doc) {
        if (tokens.peek().kind() != Kind.WORD) {
            if (word.equals("object") && tokens.skip("{")) {
                body(); // a companion without a name
            }
            return;
        }
        String name = prefix + tokens.next().text();
        describeType(name, doc);
        if (tokens.peek().is("<")) {
            tokens.skipBrackets("<", ">");
        }
        header(name);
        if (tokens.skip("{")) {
            members(name + "$", name);
        }
    }

    /** The constructor and the supertypes. */
    private void header(String type) {
        while (true) {
            Token token = tokens.peek();
            if (token.is("@")) {
                tokens.next();
                annotation();
            } else if (token.kind() == Kind.WORD && (MODIFIERS.contains(token.text()) || token.isWord("constructor"))) {
                if (!startsHeader(token)) {
                    return;
                }
                tokens.next();
            } else {
                break;
            }
        }
        if (tokens.skip("(")) {
            parameters(type);
        }
        if (tokens.skip(":")) {
            supertypes();
        }
        if (tokens.peek().isWord("where")) {
            tokens.next();
            supertypes();
        }
    }

    /** A class without a body can be followed by the modifiers of the next declaration. */
    private boolean startsHeader(Token token) {
        return Set.of("private", "protected", "internal", "public", "constructor")
                        .contains(token.text())
                && tokens.leadsTo("constructor", MODIFIERS);
    }

    private void supertypes() {
        do {
            tokens.skipType();
            while (tokens.peek().is("(")
                    || tokens.peek().isWord("by")
                    || tokens.peek().is(":")) {
                if (tokens.peek().is("(")) {
                    tokens.skipBrackets("(", ")");
                } else {
                    tokens.next();
                    tokens.skipType();
                }
            }
        } while (tokens.skip(","));
    }

    /** The parameters of a constructor; those with val or var are properties. */
    private void parameters(String type) {
        String doc = null;
        while (tokens.peek() != KotlinTokens.END && !tokens.skip(")")) {
            Token token = tokens.next();
            if (token.kind() == Kind.KDOC) {
                doc = token.text();
            } else if (token.is("@")) {
                annotation();
            } else if (token.isWord("val") || token.isWord("var")) {
                describe(type, tokens.next().text(), doc);
                doc = null;
            } else if (token.is("(")) {
                rest("(", ")");
            } else if (token.is("{")) {
                body();
            } else if (token.is(",")) {
                doc = null;
            }
        }
    }

    private void property(@Nullable String type, @Nullable String doc) {
        if (tokens.peek().is("<")) {
            tokens.skipBrackets("<", ">");
        }
        String name = tokens.next().text();
        if (type != null && !tokens.peek().is(".")) { // an extension belongs to another class
            describe(type, name, doc);
        }
    }

    private void function(@Nullable String type, @Nullable String doc) {
        if (tokens.peek().is("<")) {
            tokens.skipBrackets("<", ">");
        }
        if (tokens.peek().kind() != Kind.WORD || tokens.peek().isWord("interface")) {
            return;
        }
        String name = tokens.next().text();
        if (type != null && doc != null && tokens.peek().is("(")) {
            put(type + "#" + name + "()", KDoc.of(doc).body());
        }
    }

    private void describeType(String name, @Nullable String doc) {
        if (doc == null) {
            return;
        }
        KDoc text = KDoc.of(doc);
        put(name, text.body());
        text.tags()
                .map(TAG::matcher)
                .filter(Matcher::matches)
                .filter(tag -> Set.of("property", "param").contains(tag.group(1)))
                .map(tag -> NAMED.matcher(tag.group(2)))
                .filter(Matcher::matches)
                .forEach(tag -> describe(name, tag.group(1), tag.group(2)));
    }

    /** Jackson finds a property by its getter, whose name is that of the property if it starts with "is". */
    private void describe(String type, String property, @Nullable String doc) {
        if (doc != null) {
            String text = KDoc.of(doc).body();
            put(type + "#" + property, text);
            put(type + "#" + property + "()", text);
        }
    }

    private void put(String name, String text) {
        if (!text.isEmpty()) {
            texts.accept(name, text);
        }
    }

    /**
     * A comment without markup.
     *
     * @param blocks the text, and then the tags, each starting with {@code @}
     */
    private record KDoc(String[] blocks) {

        static KDoc of(String comment) {
            String lines = comment.lines()
                    .map(line -> line.strip().replaceFirst("^\\*+ ?", ""))
                    .collect(Collectors.joining("\n"));
            return new KDoc(("\n" + lines).split("\n\\s*(?=@\\w)", -1));
        }

        String body() {
            return Stream.of(blocks[0].split("\n\\s*\n|\n(?=\\s*[-*+] )"))
                    .map(KDoc::plain)
                    .filter(paragraph -> !paragraph.isEmpty())
                    .collect(Collectors.joining("\n\n"))
                    .replace("\n\n- ", "\n- ");
        }

        Stream<String> tags() {
            return Stream.of(blocks).skip(1);
        }

        /** A paragraph without the signs of Markdown. */
        private static String plain(String paragraph) {
            return paragraph
                    .strip()
                    .replaceAll("\\s+", " ")
                    .replaceFirst("^[*+] ", "- ")
                    .replaceAll("\\[([^\\]]+)](?:\\([^)]*\\)|\\[[^\\]]*])?", "$1")
                    .replaceAll("(\\*\\*|__)(\\S|\\S.*?\\S)\\1", "$2")
                    .replace("`", "");
        }
    }
}

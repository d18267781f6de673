package io.github.reconciler4j.test.server.apimachinery.selector;

import io.github.reconciler4j.test.server.apimachinery.FieldError;
import io.github.reconciler4j.test.server.apimachinery.Names;
import io.github.reconciler4j.test.server.apimachinery.StatusException;
import io.github.reconciler4j.test.server.apimachinery.selector.LabelRequirement.Operator;
import io.github.reconciler4j.test.server.apimachinery.selector.LabelSelectorLexer.Kind;
import io.github.reconciler4j.test.server.apimachinery.selector.LabelSelectorLexer.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/** Reads one label selector; descends recursively over its tokens. Used by one thread. */
final class LabelSelectorParser {

    private static final String BINARY_OPERATORS = "in, notin, =, ==, !=, gt, lt";

    private static final Map<Kind, Operator> OPERATORS = Map.of(
            Kind.IN, Operator.IN,
            Kind.NOT_IN, Operator.NOT_IN,
            Kind.EQUALS, Operator.EQUALS,
            Kind.DOUBLE_EQUALS, Operator.DOUBLE_EQUALS,
            Kind.NOT_EQUALS, Operator.NOT_EQUALS,
            Kind.GREATER_THAN, Operator.GREATER_THAN,
            Kind.LESS_THAN, Operator.LESS_THAN);

    private final List<Token> tokens;
    private int position;

    LabelSelectorParser(String selector) {
        this.tokens = new LabelSelectorLexer(selector).tokens();
    }

    /** Returns the requirements in the order of the selector. */
    List<LabelRequirement> parse() {
        List<LabelRequirement> requirements = new ArrayList<>();
        while (peek().kind() != Kind.END) {
            if (!startsRequirement(peek())) {
                throw expected(peek(), ", expected: !, identifier, or 'end of string'");
            }
            requirements.add(requirement());
            Token separator = take();
            if (separator.kind() == Kind.END) {
                return requirements;
            }
            if (separator.kind() != Kind.COMMA) {
                throw expected(separator, ", expected: ',' or 'end of string'");
            }
            if (!startsRequirement(peek())) {
                throw expected(peek(), ", expected: identifier after ','");
            }
        }
        return requirements;
    }

    private static boolean startsRequirement(Token token) {
        return token.kind() == Kind.IDENTIFIER || token.kind() == Kind.NOT;
    }

    private LabelRequirement requirement() {
        try {
            boolean negated = peek().kind() == Kind.NOT;
            if (negated) {
                take();
            }
            String key = key();
            if (negated) {
                return LabelRequirement.of(key, Operator.DOES_NOT_EXIST, List.of());
            }
            if (peek().kind() == Kind.END || peek().kind() == Kind.COMMA) {
                return LabelRequirement.of(key, Operator.EXISTS, List.of());
            }
            Operator operator = operator();
            boolean isSet = operator == Operator.IN || operator == Operator.NOT_IN;
            return LabelRequirement.of(key, operator, isSet ? values() : exactValue());
        } catch (StatusException e) {
            throw StatusException.badRequest("unable to parse requirement: " + e.getMessage());
        }
    }

    private String key() {
        Token token = take();
        if (token.kind() != Kind.IDENTIFIER) {
            throw expected(token, ", expected: identifier");
        }
        List<String> errors = Names.labelKey(token.text());
        if (!errors.isEmpty()) {
            throw StatusException.badRequest(FieldError.invalid("<nil>", token.text(), String.join("; ", errors))
                    .toString());
        }
        return token.text();
    }

    private Operator operator() {
        Token token = tokens.get(position++);
        Operator operator = OPERATORS.get(token.kind());
        if (operator == null) {
            throw expected(token, ", expected: " + BINARY_OPERATORS);
        }
        return operator;
    }

    private SortedSet<String> values() {
        Token open = take();
        if (open.kind() != Kind.OPEN) {
            throw expected(open, " expected: '('");
        }
        Token first = peek();
        if (first.kind() == Kind.CLOSE) {
            take();
            return new TreeSet<>(List.of(""));
        }
        if (first.kind() != Kind.IDENTIFIER && first.kind() != Kind.COMMA) {
            throw expected(first, ", expected: ',', ')' or identifier");
        }
        SortedSet<String> values = list();
        if (take().kind() != Kind.CLOSE) {
            throw expected(first, ", expected: ')'");
        }
        return values;
    }

    /** Reads values up to the closing sign; a missing value beside a comma counts as an empty one. */
    private SortedSet<String> list() {
        SortedSet<String> values = new TreeSet<>();
        while (true) {
            Token token = take();
            Kind next = peek().kind();
            if (token.kind() == Kind.IDENTIFIER) {
                values.add(token.text());
                if (next == Kind.CLOSE) {
                    return values;
                }
                if (next != Kind.COMMA) {
                    throw expected(peek(), ", expected: ',' or ')'");
                }
            } else if (token.kind() == Kind.COMMA) {
                if (values.isEmpty() || next == Kind.COMMA || next == Kind.CLOSE) {
                    values.add("");
                }
                if (next == Kind.CLOSE) {
                    return values;
                }
            } else {
                throw expected(token, ", expected: ',', or identifier");
            }
        }
    }

    private SortedSet<String> exactValue() {
        Kind next = peek().kind();
        if (next == Kind.END || next == Kind.COMMA) {
            return new TreeSet<>(List.of(""));
        }
        Token token = take();
        if (token.kind() != Kind.IDENTIFIER) {
            throw expected(token, ", expected: identifier");
        }
        return new TreeSet<>(List.of(token.text()));
    }

    private Token peek() {
        return tokens.get(Math.min(position, tokens.size() - 1)).asValue();
    }

    private Token take() {
        Token token = peek();
        position++;
        return token;
    }

    private static StatusException expected(Token token, String expectation) {
        return StatusException.badRequest("found '" + token.text() + "'" + expectation);
    }
}

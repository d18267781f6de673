package io.github.reconciler4j.generator.crd;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The validation rules that annotations stand for. They are written so that the API server estimates them to be cheap: a rule for
 * items of a list without a limit may cost about nine units.
 */
final class Rules {

    private Rules() {}

    /** True if one of the fields is set, and no other. */
    static String exactlyOne(List<String> fields) {
        String first = has(fields.get(0));
        List<String> others = fields.subList(1, fields.size());
        return others.isEmpty() ? first : first + " ? !" + any(others) + " : " + exactlyOne(others);
    }

    /** True if at most one of the fields is set. */
    static String atMostOne(List<String> fields) {
        List<String> others = fields.subList(1, fields.size());
        String rule = "!" + has(fields.get(0)) + " || !" + any(others);
        return others.size() == 1 ? rule : has(fields.get(0)) + " ? !" + any(others) + " : " + atMostOne(others);
    }

    /** True if at least one of the fields is set. */
    static String atLeastOne(List<String> fields) {
        return fields.stream().map(Rules::has).collect(Collectors.joining(" || "));
    }

    /** True if a field is not removed. */
    static String kept(String field) {
        return "!has(oldSelf." + name(field) + ") || " + has(field);
    }

    /**
     * True if a field is neither changed nor removed, at a cost that does not depend on its length: {@code ==} costs as much as the
     * longest value that the schema allows, a look into a list of one costs one.
     */
    static String unchanged(String field, boolean required) {
        String same = "self." + name(field) + " in [oldSelf." + name(field) + "]";
        return required ? same : "!has(oldSelf." + name(field) + ") || " + has(field) + " && " + same;
    }

    private static String any(List<String> fields) {
        return fields.size() == 1 ? has(fields.get(0)) : "(" + atLeastOne(fields) + ")";
    }

    private static String has(String field) {
        return "has(self." + name(field) + ")";
    }

    private static String name(String field) {
        return SchemaValues.celName(field);
    }
}

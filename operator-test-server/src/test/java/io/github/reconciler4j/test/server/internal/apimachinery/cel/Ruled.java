package io.github.reconciler4j.test.server.internal.apimachinery.cel;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.TestJson;
import java.util.List;

/** A custom resource with rules, and objects that keep and break them. */
final class Ruled {
    static final String PATH = "/apis/cel.example.com/v1/namespaces/default/ruleds";

    private static final String PROPERTIES = """
            {size: {type: 'integer'}, name: {type: 'string', maxLength: 50}, 'max-size': {type: 'integer'},
             ratio: {type: 'number'}, flag: {type: 'boolean'}, either: {'x-kubernetes-int-or-string': true},
             when: {type: 'string', format: 'date-time'}, wait: {type: 'string', format: 'duration'},
             data: {type: 'string', format: 'byte'}, url: {type: 'string', maxLength: 50},
             amount: {type: 'string', maxLength: 20}, namespace: {type: 'string', maxLength: 20},
             map: {type: 'object', maxProperties: 5, additionalProperties: {type: 'integer'}},
             numbers: {type: 'array', maxItems: 5, items: {type: 'integer'}},
             words: {type: 'array', maxItems: 5, items: {type: 'string', maxLength: 10}},
             fixed: {type: 'string', maxLength: 10, 'x-kubernetes-validations': [{rule: 'self == oldSelf', message: 'fixed'}]},
             parts: {type: 'array', maxItems: 5, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['id'],
              items: {type: 'object', required: ['id'], properties: {id: {type: 'string', maxLength: 10}, v: {type: 'integer',
               'x-kubernetes-validations': [{rule: 'self > 0', message: 'positive'},
                {rule: 'self >= oldSelf', messageExpression: '"was " + (oldSelf > 2 ? "large" : "small")'}]}}}}}
            """;

    private static final List<String> RULES = List.of(
            "{rule: '!has(self.size) || self.size > 1'}",
            "{rule: '!has(self.size) || self.size < 10', message: 'too big'}",
            "{rule: '!has(self.name) || self.name != \"x\"', messageExpression: '\"no \" + self.name', reason:"
                    + " 'FieldValueForbidden', fieldPath: '.name'}",
            "{rule: '!has(self.size) || !has(oldSelf.size) || self.size >= oldSelf.size', message: 'may not shrink'}",
            "{rule: '!has(self.name) || self.name != \"r\"', reason: 'FieldValueRequired'}",
            "{rule: '!has(self.name) || self.name != \"d\"', reason: 'FieldValueDuplicate'}",
            "{rule: '!has(self.name) || self.name != \"q\" || self.map[\"x\"] == 1'}",
            "{rule: '!has(self.name) || self.name != \"m\" || self.size > 3', message: 'needs size'}",
            "{rule: '!has(self.size) || self.size != 7 || oldSelf.hasValue()', optionalOldSelf: true, message: '7 not at"
                    + " first'}",
            "{rule: '!has(self.max__dash__size) || self.max__dash__size < 3'}",
            "{rule: '!has(self.__namespace__) || self.__namespace__.startsWith(\"n\")'}",
            "{rule: '!has(self.ratio) || self.ratio > 0.5 && self.ratio < 2.0'}",
            "{rule: '!has(self.either) || (type(self.either) == int ? self.either > 3 : self.either == \"a\")'}",
            "{rule: '!has(self.when) || self.when > timestamp(\"2024-01-01T00:00:00Z\")', message: 'too early'}",
            "{rule: '!has(self.wait) || self.wait <= duration(\"1h\")', message: 'too long'}",
            "{rule: '!has(self.data) || self.data == b\"ab\"'}",
            "{rule: '!has(self.url) || isURL(self.url) && url(self.url).getScheme() == \"https\" &&"
                    + " url(self.url).getHostname() == \"example.com\"', message: 'wrong url'}",
            "{rule: '!has(self.amount) || isQuantity(self.amount) && quantity(self.amount).isLessThan(quantity(\"2Gi\"))'}",
            "{rule: '!has(self.map) || self.map.all(k, k.startsWith(\"a\") && self.map[k] > 0)', message: 'bad map'}",
            "{rule: '!has(self.numbers) || self.numbers.isSorted() && self.numbers.sum() < 20 && self.numbers.max() < 15'}",
            "{rule: '!has(self.words) || self.words.all(w, w.matches(\"^[a-z]+$\")) && self.words.exists_one(w, w == \"a\")'}",
            "{rule: '!has(self.words) || self.words.indexOf(\"z\") < 2 && self.words.map(w, w.size()).sum() < 12'}",
            "{rule: '!has(self.name) || self.name.find(\"[0-9]+\") != \"42\"', message: 'no 42'}",
            "{rule: '!has(self.name) || self.name.lowerAscii() == self.name', message: 'lower case'}",
            "{rule: '!has(self.flag) || !self.flag || self.?size.orValue(0) > 3', message: 'flag needs size'}");

    private Ruled() {}

    /** The definition, with the rules on {@code spec} and one on the name. */
    static JsonNode definition() {
        ObjectNode spec = (ObjectNode) TestJson.of("{type: 'object'}");
        spec.set("properties", TestJson.of(PROPERTIES));
        ArrayNode rules = spec.putArray("x-kubernetes-validations");
        RULES.forEach(rule -> rules.add(TestJson.of(rule)));
        ObjectNode definition = (ObjectNode) TestJson.of("{apiVersion: 'apiextensions.k8s.io/v1', kind:"
                + " 'CustomResourceDefinition', metadata: {name: 'ruleds.cel.example.com'}, spec: {group: 'cel.example.com',"
                + " scope: 'Namespaced', names: {plural: 'ruleds', kind: 'Ruled'}, versions: [{name: 'v1', served: true,"
                + " storage: true, subresources: {status: {}}, schema: {openAPIV3Schema: {type: 'object', properties:"
                + " {}, 'x-kubernetes-validations': [{rule: 'self.metadata.name.startsWith(\"o\")', message:"
                + " 'name'}]}}}]}}");
        ((ObjectNode) definition.at("/spec/versions/0/schema/openAPIV3Schema/properties")).set("spec", spec);
        return definition;
    }

    /** The insides of specs, good and bad. */
    static final List<String> SPECS = List.of(
            "",
            "size: 2",
            "size: 1",
            "size: 11",
            "size: 'x'",
            "size: 7",
            "name: 'x'",
            "name: 'r'",
            "name: 'd'",
            "name: 'q'",
            "name: 'q', map: {a: 1}",
            "name: 'm'",
            "'max-size': 2",
            "'max-size': 4",
            "namespace: 'n'",
            "namespace: 'x'",
            "ratio: 1",
            "ratio: 0.7",
            "ratio: 3.5",
            "either: 4",
            "either: 2",
            "either: 'a'",
            "either: 'b'",
            "when: '2024-02-01T00:00:00Z'",
            "when: '2023-02-01T00:00:00Z'",
            "wait: '30m'",
            "wait: '1h1s'",
            "data: 'YWI='",
            "data: 'YWE='",
            "url: 'https://example.com/x?y=1'",
            "url: 'http://example.com'",
            "url: 'x y'",
            "amount: '1Gi'",
            "amount: '3Gi'",
            "amount: 'x'",
            "map: {a: 1, ab: 2}",
            "map: {b: 1}",
            "map: {a: 0}",
            "numbers: [1, 2, 3]",
            "numbers: [3, 2]",
            "numbers: [10, 14]",
            "words: ['a', 'b']",
            "words: ['a', 'a']",
            "words: ['A']",
            "words: ['a', 'b', 'z']",
            "name: 'a42'",
            "name: 'Abc'",
            "flag: true",
            "flag: true, size: 4",
            "parts: [{id: 'a', v: 1}]",
            "parts: [{id: 'a', v: 0}, {id: 'b', v: -1}]",
            "fixed: 'a'",
            "size: 1, name: 'x', ratio: 9, flag: true");

    static ObjectNode object(String name, String spec) {
        return (ObjectNode) TestJson.of("{apiVersion: 'cel.example.com/v1', kind: 'Ruled', metadata: {name: '" + name
                + "'}, spec: {" + spec + "}}");
    }
}

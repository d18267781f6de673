package io.github.reconciler4j.generator.crd;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.generator.GeneratorException;
import io.github.reconciler4j.generator.LocalServer;
import io.github.reconciler4j.generator.crd.LimitCases.Cell;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Each limit on each type in each place: the API server enforces it, or the generator refuses it with a way out. */
class LimitGridTests {

    @Test
    void limitWhenOnAnyTypeInAnyPlaceIsEnforcedOrRefused() throws Exception {
        Map<String, Cell> cells = new LinkedHashMap<>();
        for (Cell cell : LimitCases.all()) {
            cells.put("field" + cells.size(), cell);
        }
        Map<String, String> sources = new LinkedHashMap<>(LimitCases.shared());
        cells.forEach((field, cell) -> sources.putAll(LimitCases.source("Limited" + field, Map.of(field, cell))));
        CompiledSources classes = CompiledSources.of(sources);
        Map<String, String> wrong = new LinkedHashMap<>();
        try (LocalServer server = new LocalServer()) {
            cells.forEach((field, cell) -> {
                String problem = problem(classes, server, field, cell);
                if (problem != null) {
                    wrong.put(cell.declaration(), problem);
                }
            });
        }
        assertThat(cells).hasSizeGreaterThan(500);
        assertThat(wrong).isEmpty();
    }

    private static String problem(CompiledSources classes, LocalServer server, String field, Cell cell) {
        String kind = "Limited" + field;
        Map<String, Object> definition;
        try {
            definition = CrdGenerator.checked(load(classes, kind), CrdOptions.defaults());
        } catch (GeneratorException e) {
            String message = String.valueOf(e.getMessage());
            boolean says = message.contains("'" + field + "' of " + LimitCases.PACKAGE + "." + kind + "$Spec")
                    && message.contains(cell.annotation())
                    && message.matches("(?s).*(: | )(use|write|put|remove) .*\\(R4J-715\\)");
            return cell.fits() ? "refused: " + message : says ? null : "unclear: " + message;
        }
        if (!cell.fits()) {
            return "ignored";
        }
        LocalServer.Answer installed =
                server.create("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition);
        if (installed.code() != 201) {
            return "no definition: " + installed.body().get("message");
        }
        String good = create(server, kind, field, "good", cell.good());
        String bad = create(server, kind, field, "bad", cell.bad());
        return !good.startsWith("201")
                ? "good is refused: " + good
                : !bad.startsWith("422") ? "bad is not refused: " + bad + " " + definition.get("spec") : null;
    }

    private static String create(LocalServer server, String kind, String field, String name, String value) {
        LocalServer.Answer answer = server.create(
                "/apis/example.com/v1/" + kind.toLowerCase(java.util.Locale.ROOT) + "s",
                Map.of(
                        "apiVersion",
                        "example.com/v1",
                        "kind",
                        kind,
                        "metadata",
                        Map.of("name", name),
                        "spec",
                        Map.of(field, LimitCases.value(value))));
        return answer.code() + " " + answer.body().get("message");
    }

    @SuppressWarnings("unchecked")
    static Class<? extends HasMetadata> load(CompiledSources classes, String kind) {
        try {
            return (Class<? extends HasMetadata>) classes.loadClass(LimitCases.PACKAGE + "." + kind);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }
}

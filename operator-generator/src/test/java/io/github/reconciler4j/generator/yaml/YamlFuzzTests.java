package io.github.reconciler4j.generator.yaml;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.reconciler4j.generator.GeneratorException;
import io.github.reconciler4j.test.fuzz.Fuzz;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Damaged YAML is read or refused, and what was read can be written. */
@Timeout(300)
class YamlFuzzTests {

    @Test
    void yamlWhenBytesAreDamagedIsReadOrRefused() {
        Fuzz.run(
                "yaml",
                input -> Yaml.writeAll(Yaml.readAll(new String(input, UTF_8), "fuzz.yaml")),
                GeneratorException.class);
    }
}

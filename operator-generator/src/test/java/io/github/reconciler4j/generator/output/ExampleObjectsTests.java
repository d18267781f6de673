package io.github.reconciler4j.generator.output;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.generator.yaml.Yaml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExampleObjectsTests {

    private static final List<Map<String, Object>> DEFINITIONS = Yaml.readAll("""
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: notes.example.com}
            spec:
              group: example.com
              scope: Namespaced
              names: {kind: Note, plural: notes, singular: note, listKind: NoteList}
              versions:
              - name: v1
                served: true
                storage: true
                schema:
                  openAPIV3Schema:
                    type: object
                    properties:
                      spec:
                        type: object
                        properties:
                          text: {type: string}
            """, "notes");

    @TempDir
    private Path folder;

    private void example(String name, String yaml) throws IOException {
        Files.writeString(folder.resolve(name + ".yaml"), yaml);
    }

    @Test
    void refusedWhenAFieldOfAnExampleDoesNotExistNamesIt() throws IOException {
        example("good", "{apiVersion: example.com/v1, kind: Note, metadata: {name: good}, spec: {text: Hi}}");
        example("old", "{apiVersion: example.com/v1, kind: Note, metadata: {name: old}, spec: {title: Hi}}");
        example("other", "{apiVersion: v1, kind: ConfigMap, metadata: {name: other}, title: Hi}");

        assertThat(new ExampleObjects(folder).refused(DEFINITIONS))
                .singleElement()
                .asString()
                .startsWith("An API server refuses the example 'old' of Note in example.com/v1: ")
                .contains("spec.title");
    }

    @Test
    void refusedWhenNoExampleHasADefinitionIsEmpty() throws IOException {
        example("other", "{apiVersion: v1, kind: ConfigMap, metadata: {name: other}, title: Hi}");

        assertThat(new ExampleObjects(folder).refused(DEFINITIONS)).isEmpty();
    }

    @Test
    void refusedWhenTheVersionOfAnExampleDoesNotExistNamesIt() throws IOException {
        example("version", "{apiVersion: example.com/v2, kind: Note, metadata: {name: old}}");

        assertThat(new ExampleObjects(folder).refused(DEFINITIONS))
                .singleElement()
                .asString()
                .isEqualTo(
                        "An API server refuses the example 'old' of Note in example.com/v2: the definition has no such version");
    }
}

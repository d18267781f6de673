package io.github.reconciler4j.support;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The mapper beside libraries that cannot be loaded. */
class KotlinMapperTests {

    private static final String SERVICES = "META-INF/services/com.fasterxml.jackson.databind.Module";
    private static final String KOTLIN = "com.fasterxml.jackson.module.kotlin.KotlinModule";

    @TempDir
    Path folder;

    @ParameterizedTest
    @MethodSource("declarations")
    void mapperWhenALibraryDeclaresAModuleThatCannotBeLoadedReadsObjects(String declared) throws Exception {
        URL services =
                Files.writeString(folder.resolve("services"), declared).toUri().toURL();
        assertThat(read(new LibraryLoader(services, new ClassNotFoundException(KOTLIN))))
                .isEqualTo(Map.of("a", 1));
    }

    static List<String> declarations() {
        return List.of("no.such.Module", "java.lang.String", "not a name", KOTLIN, "no.such.Module\n" + KOTLIN);
    }

    @ParameterizedTest
    @MethodSource("failures")
    void mapperWhenTheModuleOfKotlinCannotBeLoadedReadsObjects(Throwable failure) throws Exception {
        URL services =
                Files.writeString(folder.resolve("services"), KOTLIN).toUri().toURL();
        assertThat(read(new LibraryLoader(services, failure))).isEqualTo(Map.of("a", 1));
    }

    static List<Throwable> failures() {
        return List.of(
                new NoClassDefFoundError("kotlin/jvm/internal/Intrinsics"),
                new UnsupportedClassVersionError("newer than this JVM"),
                new ClassFormatError("cut off"),
                new ClassNotFoundException("kotlin.Metadata"));
    }

    @Test
    void withKotlinReturnsTheSameMapper() {
        ObjectMapper mapper = new ObjectMapper();
        assertThat(KubernetesJson.withKotlin(mapper)).isSameAs(mapper);
    }

    /** Read an object with a mapper that is created in the class loader. */
    private static Object read(ClassLoader loader) throws Exception {
        Class<?> json = loader.loadClass(KubernetesJson.class.getName());
        assertThat(json.getClassLoader()).isSameAs(loader);
        ObjectMapper mapper = (ObjectMapper) json.getMethod("mapper").invoke(null);
        return mapper.readValue("{\"a\":1}", Map.class);
    }

    /** Loads the class of the mapper itself, so that it sees what this loader declares. */
    private static final class LibraryLoader extends ClassLoader {

        private final URL services;
        private final Throwable kotlin;

        LibraryLoader(URL services, Throwable kotlin) {
            super(KotlinMapperTests.class.getClassLoader());
            this.services = services;
            this.kotlin = kotlin;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.equals(KOTLIN)) {
                throw LibraryLoader.<ClassNotFoundException>thrown(kotlin);
            }
            if (!name.startsWith(KubernetesJson.class.getName())) {
                return super.loadClass(name, resolve);
            }
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? define(name) : loaded;
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }

        @Override
        public Enumeration<URL> getResources(String name) throws IOException {
            return name.equals(SERVICES) ? Collections.enumeration(List.of(services)) : super.getResources(name);
        }

        @SuppressWarnings("unchecked") // throws any class as it is
        private static <T extends Throwable> T thrown(Throwable failure) throws T {
            throw (T) failure;
        }
    }
}

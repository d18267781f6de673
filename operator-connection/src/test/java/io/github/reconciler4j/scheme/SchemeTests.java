package io.github.reconciler4j.scheme;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fabric8.kubernetes.api.builder.Editable;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResource;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Version;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Which kinds a scheme knows, by class and by name. */
class SchemeTests {
    private static final Set<String> FOREIGN_GROUPS =
            Set.of("gateway.networking.k8s.io", "metrics.k8s.io", "extensions", "meta.k8s.io");

    private final Scheme scheme = Scheme.create();

    @Test
    void kindOfKnowsABuiltInKindWhenNothingIsRegistered() {
        KindName deployment = KindName.of("apps/v1", "Deployment");
        assertThat(scheme.kindOf(deployment)).isEqualTo(new KindInfo(deployment, "deployments", true));
        assertThat(scheme.kindOf(io.github.reconciler4j.scheme.Kind.of("v1", "Namespace")))
                .isEqualTo(new KindInfo(KindName.of("v1", "Namespace"), "namespaces", false));
        GenericKubernetesResource endpoints = new GenericKubernetesResource();
        endpoints.setApiVersion("v1");
        endpoints.setKind("Endpoints");
        assertThat(scheme.kindOf(endpoints).plural()).isEqualTo("endpoints");
    }

    @Test
    void typeOfFindsTheClassWhenAKindIsBuiltIn() {
        assertThat(scheme.typeOf(KindName.of("apps/v1", "Deployment"))).hasValue(Deployment.class);
        assertThat(scheme.typeOf(KindName.of("v1", "Secret"))).hasValue(Secret.class);
        assertThat(scheme.typeOf(KindName.of("example.com/v1", "Secret"))).isEmpty();
    }

    @Test
    void typeOfFindsNoClassWhenTheModelHasNone() {
        KindName kind = KindName.of("internal.apiserver.k8s.io/v1alpha1", "StorageVersion");
        assertThat(scheme.kindOf(kind).plural()).isEqualTo("storageversions");
        assertThat(scheme.typeOf(kind)).isEmpty();
    }

    @Test
    void typeOfPrefersTheClassWhenOneIsRegisteredForABuiltInKind() {
        scheme.register(SmallSecret.class);
        assertThat(scheme.typeOf(KindName.of("v1", "Secret"))).hasValue(SmallSecret.class);
        assertThat(scheme.kindOf(SmallSecret.class)).isEqualTo(scheme.kindOf(KindName.of("v1", "Secret")));
        assertThatExceptionOfType(UnknownKindException.class)
                .isThrownBy(() -> scheme.kindOf(Secret.class))
                .withMessageContaining("declare the kind")
                .withMessageContaining(SmallSecret.class.getName());
    }

    @Test
    void registerFailsWhenABuiltInKindIsDescribedDifferently() {
        KindName secret = KindName.of("v1", "Secret");
        scheme.register(new KindInfo(secret, "secrets", true));
        assertThatExceptionOfType(UnknownKindException.class)
                .isThrownBy(() -> scheme.register(new KindInfo(secret, "secretes", true)))
                .withMessageContaining("secretes");
        assertThat(scheme.kindOf(secret).plural()).isEqualTo("secrets");
    }

    @Test
    void kindOfFailsWhenAKindIsNotBuiltIn() {
        assertThatExceptionOfType(UnknownKindException.class)
                .isThrownBy(() -> scheme.kindOf(KindName.of("example.com/v1", "Widget")))
                .withMessageContaining("Widget.v1.example.com")
                .withMessageContaining("Scheme.register");
    }

    @Test
    void tableSaysWhatTheClassesDeclareWhenTheyAreLoaded() {
        List<BuiltInKinds.Row> rows = List.copyOf(BuiltInKinds.get().rows().values());
        assertThat(rows).hasSizeGreaterThan(140);
        List<String> different = new ArrayList<>();
        for (BuiltInKinds.Row row : rows) {
            KindName kind = row.info().kind();
            Class<? extends HasMetadata> type = BuiltInKinds.get().typeOf(kind);
            if ((type == null) != (row.type() == null)
                    || type != null && !Scheme.describe(type).equals(row.info())) {
                different.add(row + " but " + (type == null ? "there is no such class" : Scheme.describe(type)));
            }
        }
        assertThat(different).isEmpty();
    }

    @Test
    void tableHasEachKindWhenTheModelRegistersItsClass() {
        List<? extends Class<?>> missing = ServiceLoader.load(KubernetesResource.class).stream()
                .map(ServiceLoader.Provider::type)
                .filter(HasMetadata.class::isAssignableFrom)
                .filter(Predicate.not(GenericKubernetesResource.class::isAssignableFrom))
                .filter(type -> type.getName().startsWith("io.fabric8.kubernetes.api.model."))
                .filter(type -> {
                    KindName kind =
                            Scheme.describe(type.asSubclass(HasMetadata.class)).kind();
                    boolean isSubresource =
                            Set.of("Scale", "Eviction", "TokenRequest").contains(kind.kind());
                    return !FOREIGN_GROUPS.contains(kind.group())
                            && !isSubresource
                            && BuiltInKinds.get().find(kind) == null;
                })
                .toList();
        assertThat(missing).isEmpty();
    }

    @Test
    void kindOfLoadsNoClassWhenAKindIsNamed() throws Exception {
        RecordingLoader loader = new RecordingLoader();
        Class<?> schemeType = loader.loadClass(Scheme.class.getName());
        Class<?> nameType = loader.loadClass(KindName.class.getName());
        Object name = nameType.getMethod("of", String.class, String.class).invoke(null, "apps/v1", "Deployment");
        Object fresh = schemeType.getMethod("create").invoke(null);
        Object info = schemeType.getMethod("kindOf", nameType).invoke(fresh, name);
        assertThat(info.toString()).contains("deployments");
        assertThat(loader.loaded).contains(BuiltInKinds.class.getName()).noneMatch(SchemeTests::isModel);

        schemeType.getMethod("typeOf", nameType).invoke(fresh, name);
        assertThat(loader.loaded).filteredOn(SchemeTests::isModel).contains(Deployment.class.getName());
    }

    @Test
    void typeOfFindsNoClassWhenTheModelIsThereInPart() throws Exception {
        RecordingLoader loader = new RecordingLoader();
        loader.absent.add(Editable.class.getName());
        Class<?> nameType = loader.loadClass(KindName.class.getName());
        Object name = nameType.getMethod("of", String.class, String.class).invoke(null, "apps/v1", "Deployment");
        Class<?> schemeType = loader.loadClass(Scheme.class.getName());
        Object fresh = schemeType.getMethod("create").invoke(null);

        Object found = schemeType.getMethod("typeOf", nameType).invoke(fresh, name);

        assertThat(loader.loaded).contains(Deployment.class.getName(), Editable.class.getName());
        assertThat(found).isEqualTo(Optional.empty());
    }

    private static boolean isModel(String name) {
        return name.startsWith("io.fabric8.kubernetes.api.model.apps.");
    }

    /** Defines the classes of schemes and of the model itself, and remembers which. */
    private static final class RecordingLoader extends ClassLoader {
        private final Set<String> loaded = ConcurrentHashMap.newKeySet();
        private final Set<String> absent = ConcurrentHashMap.newKeySet();

        private RecordingLoader() {
            super(SchemeTests.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                Class<?> known = findLoadedClass(name);
                if (known != null) {
                    return known;
                }
                if (!name.startsWith("io.github.reconciler4j.scheme.") && !name.startsWith("io.fabric8.kubernetes.")) {
                    return super.loadClass(name, resolve);
                }
                loaded.add(name);
                if (absent.contains(name)) {
                    throw new ClassNotFoundException(name);
                }
                try (InputStream code = getResourceAsStream(name.replace('.', '/') + ".class")) {
                    if (code == null) {
                        throw new ClassNotFoundException(name);
                    }
                    byte[] bytes = code.readAllBytes();
                    return defineClass(name, bytes, 0, bytes.length);
                } catch (IOException e) {
                    throw new ClassNotFoundException(name, e);
                }
            }
        }
    }

    /** A class of a user for a built-in kind. */
    @Group("")
    @Version("v1")
    @Kind("Secret")
    @SuppressWarnings("serial") // never serialized
    static final class SmallSecret extends CustomResource<Void, Void> implements Namespaced {}
}

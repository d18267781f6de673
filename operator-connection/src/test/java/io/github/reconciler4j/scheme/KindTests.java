package io.github.reconciler4j.scheme;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.CustomResource;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How a kind is named, and which kinds are equal. */
class KindTests {

    @Test
    void ofReturnsTheNameWhenAClassDeclaresIt() {
        Kind<Deployment> kind = Kind.of(Deployment.class);
        assertThat(kind.name()).isEqualTo(new KindName("apps", "v1", "Deployment"));
        assertThat(kind.apiVersion()).isEqualTo("apps/v1");
        assertThat(kind.kind()).isEqualTo("Deployment");
        assertThat(kind.type()).hasValue(Deployment.class);
        assertThat(kind.isMetadata()).isFalse();
    }

    @Test
    void ofReturnsTheSameValueWhenItIsCalledAgain() {
        assertThat(Kind.of(ConfigMap.class)).isSameAs(Kind.of(ConfigMap.class));
    }

    @Test
    void ofReturnsAGenericKindWhenNamesAreGiven() {
        Kind<GenericKubernetesResource> kind = Kind.of("cert-manager.io/v1", "Certificate");
        assertThat(kind.name()).isEqualTo(new KindName("cert-manager.io", "v1", "Certificate"));
        assertThat(kind.type()).isEmpty();
        assertThat(kind.isMetadata()).isFalse();
        assertThat(Kind.of("v1", "Secret").name()).isEqualTo(new KindName("", "v1", "Secret"));
    }

    @Test
    void metadataKeepsTheClassWhenTheKindHasOne() {
        Kind<ObjectHeader> kind = Kind.of(Secret.class).metadata();
        assertThat(kind.isMetadata()).isTrue();
        assertThat(kind.type()).hasValue(Secret.class);
        assertThat(kind.name()).isEqualTo(new KindName("", "v1", "Secret"));
        assertThat(kind.metadata()).isSameAs(kind);
        assertThat(Kind.of("v1", "Secret").metadata().type()).isEmpty();
    }

    @Test
    void equalsIgnoresTheFormWhenTheNamesAreEqual() {
        Set<Kind<?>> forms = Set.of(Kind.of(Secret.class));
        assertThat(forms)
                .contains(Kind.of("v1", "Secret"))
                .contains(Kind.of(Secret.class).metadata())
                .contains(Kind.parse("v1/Secret").metadata())
                .doesNotContain(Kind.of(ConfigMap.class))
                .doesNotContain(Kind.of("example.com/v1", "Secret"));
        assertThat(Map.of(Kind.of("v1", "Secret"), 1)).containsEntry(cast(Kind.of(Secret.class)), 1);
        assertThat(Kind.of(Secret.class)).isNotEqualTo("v1/Secret");
    }

    @SuppressWarnings("unchecked") // equal by name
    private static Kind<GenericKubernetesResource> cast(Kind<?> kind) {
        return (Kind<GenericKubernetesResource>) kind;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "v1/Secret",
                "apps/v1/Deployment",
                "cert-manager.io/v1alpha2/Certificate",
                "a.b-c.io/stable/X",
                "v2beta1/K8s"
            })
    void parseReadsWhatToStringWritesWhenTheNameIsValid(String name) {
        assertThat(Kind.parse(name)).hasToString(name);
        assertThat(Kind.parse(name).metadata()).hasToString(name);
        assertThat(Kind.of(Kind.parse(name).apiVersion(), Kind.parse(name).kind()))
                .isEqualTo(Kind.parse(name));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "/",
                "//",
                "Secret",
                "v1/",
                "/Secret",
                "/v1/Secret",
                "apps/v1",
                "apps/Deployment",
                "apps/v1/",
                "apps//Deployment",
                "apps/v1/Deployment/x",
                " v1/Secret",
                "v1/Secret ",
                "v1/Sec ret",
                "Apps/v1/Deployment",
                "apps/V1/Deployment",
                "v1/Secret\n",
                "Certificate.v1.cert-manager.io",
                "cert-manager..io/v1/Certificate",
                "apps/v1/De%2Fployment",
                "../v1/Secret"
            })
    void parseNamesTheFormWhenTheTextDoesNotHaveIt(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Kind.parse(name))
                .withMessage("'" + name + "' does not name a kind: write 'group/version/Kind', for instance "
                        + "'apps/v1/Deployment', or 'version/Kind' in the core group, for instance 'v1/Secret'");
    }

    @Test
    void ofRefusesWhenTheNamesAreNoNames() {
        assertThatIllegalArgumentException().isThrownBy(() -> Kind.of("apps/v1/x", "Deployment"));
        assertThatIllegalArgumentException().isThrownBy(() -> Kind.of("apps", "Deployment"));
        assertThatIllegalArgumentException().isThrownBy(() -> Kind.of("v1", ""));
        assertThatIllegalArgumentException().isThrownBy(() -> Kind.of("v1", "v1/Secret"));
    }

    @SuppressWarnings("serial")
    static final class Unnamed extends CustomResource<Void, Void> {}

    @Test
    void ofRefusesWhenTheClassDoesNotNameItsKind() {
        assertThatThrownBy(() -> Kind.of(Unnamed.class))
                .isInstanceOf(UnknownKindException.class)
                .hasMessageContaining(Unnamed.class.getName())
                .hasMessageContaining("does not declare its kind");
        assertThatThrownBy(() -> Kind.of(HasMetadata.class)).isInstanceOf(UnknownKindException.class);
    }

    @Test
    void ofNamesTheOtherMethodWhenTheClassIsGeneric() {
        assertThatThrownBy(() -> Kind.of(GenericKubernetesResource.class))
                .isInstanceOf(UnknownKindException.class)
                .hasMessage(
                        "GenericKubernetesResource has no kind of its own: name one with Kind.of(apiVersion, kind)");
    }

    @Test
    void kindOfReturnsPluralAndScopeWhenTheKindHasAClass() {
        Scheme scheme = Scheme.create();
        KindInfo expected = Scheme.describe(Secret.class);
        assertThat(scheme.kindOf(Kind.of(Secret.class).metadata())).isEqualTo(expected);
        assertThat(scheme.kindOf(Kind.of("v1", "Secret"))).isEqualTo(expected);
        assertThat(scheme.typeOf(Kind.of("v1", "Secret").name())).hasValue(Secret.class);
    }
}

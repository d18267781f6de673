package io.github.reconciler4j.generator.crd.model;

import io.fabric8.crd.generator.annotation.AdditionalSelectableField;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;

/** One kind in three versions. */
@SuppressWarnings("serial")
public final class Ages {

    private Ages() {}

    /** The first version. */
    @Group("example.com")
    @Version(value = "v1alpha1", storage = false, served = false)
    @Kind("Age")
    @Plural("ages")
    public static class Alpha extends CustomResource<Spec, Void> {}

    /** The second version. */
    @Group("example.com")
    @Version(value = "v1beta1", storage = false, deprecated = true, deprecationWarning = "use example.com/v1")
    @Kind("Age")
    @Plural("ages")
    public static class Beta extends CustomResource<Spec, Void> {}

    /** The third version. */
    @Group("example.com")
    @Version("v1")
    @Kind("Age")
    @Plural("ages")
    @AdditionalSelectableField(jsonPath = ".spec.text")
    public static class Stable extends CustomResource<Spec, Void> {}

    /** Some text. The second sentence is longer than the first. */
    public static class Spec {
        public String text;
    }
}

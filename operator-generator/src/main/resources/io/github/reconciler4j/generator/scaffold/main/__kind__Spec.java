package ${package};

import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;

/** The desired state of a ${kind}. */
public class ${kind}Spec {

    /** Text that the ConfigMap contains. Without a text there is no ConfigMap. */
    @Required
    @Size(max = 1024)
    private String text = "";
#if( $cluster )

    /** The namespace of the ConfigMap. */
    @Required
    @Size(min = 1, max = 63)
    private String namespace = "default";
#end

    public String getText() {
        return text;
    }

    public void setText(String text) {
        this.text = text;
    }
#if( $cluster )

    public String getNamespace() {
        return namespace;
    }

    public void setNamespace(String namespace) {
        this.namespace = namespace;
    }
#end
}

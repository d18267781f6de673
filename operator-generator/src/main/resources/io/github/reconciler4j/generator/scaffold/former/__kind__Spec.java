package ${package}.${former};

import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;

/** The desired state of a ${kind}. */
public class ${kind}Spec {

    /** Text that the ConfigMap contains, under its former name. */
    @Required
    @Size(max = 1024)
    private String message = "";
#if( $cluster )

    /** The namespace of the ConfigMap. */
    @Required
    @Size(min = 1, max = 63)
    private String namespace = "default";
#end

    public String getMessage() {
        return message;
    }

    public void setMessage(String message) {
        this.message = message;
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

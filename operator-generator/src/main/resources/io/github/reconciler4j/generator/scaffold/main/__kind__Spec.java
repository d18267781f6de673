package ${package};

import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;

/** The desired state of a ${kind}. */
public class ${kind}Spec {

    /** Text that the ConfigMap contains. Without a text there is no ConfigMap. */
    @Required
    @Size(max = 1024)
    private String text = "";

    public String getText() {
        return text;
    }

    public void setText(String text) {
        this.text = text;
    }
}

package ${package};

import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Required;

/** The desired state of a ${kind}. */
public class ${kind}Spec {

    /** Text that the ConfigMap contains. */
    @Required
    @Max(1024)
    private String text = "";

    public String getText() {
        return text;
    }

    public void setText(String text) {
        this.text = text;
    }
}

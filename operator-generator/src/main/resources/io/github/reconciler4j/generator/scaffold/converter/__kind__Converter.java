package ${package};

import io.github.reconciler4j.webhook.Converter;
import org.springframework.stereotype.Component;

/** Converts between ${storedVersion}, which is stored, and ${former}. Do not convert metadata: it stays. */
@Component
class ${kind}Converter implements Converter<${kind}, ${package}.${former}.${kind}> {

    @Override
    public ${kind} toHub(${package}.${former}.${kind} former) {
        ${kind} object = new ${kind}();
        object.getSpec().setText(former.getSpec().getMessage());
#if( $cluster )
        object.getSpec().setNamespace(former.getSpec().getNamespace());
#end
        object.setStatus(former.getStatus());
        return object;
    }

    @Override
    public ${package}.${former}.${kind} fromHub(${kind} object) {
        ${package}.${former}.${kind} former = new ${package}.${former}.${kind}();
        former.getSpec().setMessage(object.getSpec().getText());
#if( $cluster )
        former.getSpec().setNamespace(object.getSpec().getNamespace());
#end
        former.setStatus(object.getStatus());
        return former;
    }
}

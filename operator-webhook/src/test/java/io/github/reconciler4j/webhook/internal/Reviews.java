package io.github.reconciler4j.webhook.internal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.webhook.Operation;

/** Creates reviews. */
final class Reviews {

    private static final ObjectMapper JSON = new ObjectMapper();

    private Reviews() {}

    static ObjectNode tree(String json) {
        try {
            return (ObjectNode) JSON.readTree(json.replace('\'', '"'));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(e);
        }
    }

    static ObjectNode widget(String spec) {
        return tree("{'apiVersion':'webhook.example.com/v1','kind':'Widget',"
                + "'metadata':{'name':'w','namespace':'n','labels':{'a':'b'}},'spec':" + spec + "}");
    }

    static ObjectNode admission(Operation operation, JsonNode object, JsonNode oldObject) {
        ObjectNode review = tree("{'apiVersion':'admission.k8s.io/v1','kind':'AdmissionReview','request':{'uid':'u-1',"
                + "'kind':{'group':'webhook.example.com','version':'v1','kind':'Widget'},'name':'w','namespace':'n',"
                + "'userInfo':{'username':'alice','groups':['developers'],'extra':{'k':['v']}}}}");
        ObjectNode request = (ObjectNode) review.get("request");
        request.put("operation", operation.name()).set("object", object);
        request.set("oldObject", oldObject);
        return review;
    }
}

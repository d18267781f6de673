package io.github.reconciler4j.test.server.internal.apimachinery.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.NullNode;
import io.github.reconciler4j.test.fuzz.Fuzz;
import io.github.reconciler4j.test.server.internal.apimachinery.StatusException;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Damaged patches are carried out or refused with a status. The files contain a document and a patch of it. */
@Timeout(300)
class JsonPatchFuzzTests {

    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    void patchWhenBytesAreDamagedIsCarriedOutOrRefused() {
        Fuzz.run(
                "json-patches",
                input -> {
                    JsonNode both = parse(input);
                    if (!both.has("document") || !both.has("patch")) { // the server has both
                        throw new IOException("No document, or no patch");
                    }
                    JsonPatch.apply(both.get("document"), both.get("patch"));
                },
                StatusException.class,
                IOException.class);
    }

    /** Parses as the server does, whose limits of JSON are those of the library. */
    private static JsonNode parse(byte[] input) throws IOException {
        JsonNode tree = JSON.readTree(input);
        return tree.isMissingNode() ? NullNode.getInstance() : tree;
    }
}

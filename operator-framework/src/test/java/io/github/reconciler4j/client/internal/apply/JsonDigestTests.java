package io.github.reconciler4j.client.internal.apply;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.reconciler4j.client.internal.apply.ConditionalApply.JsonDigest;
import org.junit.jupiter.api.Test;

class JsonDigestTests {

    private final ObjectMapper mapper = new ObjectMapper();

    private JsonNode tree(String json) throws Exception {
        return mapper.readTree(json.replace('\'', '"'));
    }

    private JsonDigest.Value digest(String json) throws Exception {
        return JsonDigest.of(tree(json), "");
    }

    @Test
    void orderOfMembersDoesNotMatterAndOrderOfEntriesDoes() throws Exception {
        assertThat(digest("{'a':1,'b':{'c':2,'d':3}}")).isEqualTo(digest("{'b':{'d':3,'c':2},'a':1}"));
        assertThat(digest("{'a':[1,2]}")).isNotEqualTo(digest("{'a':[2,1]}"));
    }

    @Test
    void valuesThatLookAlikeDiffer() throws Exception {
        assertThat(digest("{'a':'1'}")).isNotEqualTo(digest("{'a':1}"));
        assertThat(digest("{'a':{}}")).isNotEqualTo(digest("{'a':[]}"));
        assertThat(digest("{'ab':'c'}")).isNotEqualTo(digest("{'a':'bc'}"));
        assertThat(JsonDigest.of(tree("{}"), "x")).isNotEqualTo(JsonDigest.of(tree("{}"), "y"));
    }

    @Test
    void structuresThatLookAlikeDiffer() throws Exception {
        assertThat(digest("{'a':{'b':1},'c':2}")).isNotEqualTo(digest("{'a':{'b':1,'c':2}}"));
        assertThat(digest("[[[1],2]]")).isNotEqualTo(digest("[[1],[2]]"));
        assertThat(digest("[[1],2]")).isNotEqualTo(digest("[[1,2]]"));
        assertThat(digest("{'a':1}")).isNotEqualTo(digest("{'b':1}"));
        assertThat(digest("[null]")).isNotEqualTo(digest("[]"));
    }

    @Test
    void maskedDigestSeesOnlyWhatTheMaskHas() throws Exception {
        JsonNode mask = tree("{'spec':{'replicas':1,'list':[1]}}");
        JsonDigest.Value value =
                JsonDigest.ofMasked(tree("{'spec':{'replicas':2,'list':[1,2],'x':1},'status':{}}"), mask);
        assertThat(JsonDigest.ofMasked(tree("{'spec':{'x':9,'list':[1,2],'replicas':2}}"), mask))
                .isEqualTo(value);
        assertThat(JsonDigest.ofMasked(tree("{'spec':{'replicas':3,'list':[1,2]}}"), mask))
                .isNotEqualTo(value);
        assertThat(JsonDigest.ofMasked(tree("{'spec':{'replicas':2,'list':[1]}}"), mask))
                .isNotEqualTo(value);
        assertThat(JsonDigest.ofMasked(tree("{'spec':{'list':[1,2]}}"), mask)).isNotEqualTo(value);
    }
}

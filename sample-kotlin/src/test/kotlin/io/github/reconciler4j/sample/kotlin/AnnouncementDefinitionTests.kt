package io.github.reconciler4j.sample.kotlin

import com.fasterxml.jackson.databind.JsonNode
import com.fasterxml.jackson.databind.ObjectMapper
import io.github.reconciler4j.client.error.UndecodableObjectException
import io.github.reconciler4j.scheme.KindName
import io.github.reconciler4j.scheme.ObjectKey
import io.github.reconciler4j.support.KubernetesJson
import java.io.IOException
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.catchThrowableOfType
import org.junit.jupiter.api.Test

/** What the build makes of Kotlin's classes, and what the mapper does with them. */
class AnnouncementDefinitionTests {

    private val schema: JsonNode =
        javaClass.getResource("/META-INF/crds/announcements.sample.reconciler4j.io.yaml")!!.let {
            KubernetesJson.readYaml(it.readText(), JsonNode::class.java)
                .at("/spec/versions/0/schema/openAPIV3Schema")
        }

    @Test
    fun definitionHasTheKDocOfClassesAndProperties() {
        assertThat(schema.at("/description").asText())
            .isEqualTo("What a team wants others to know. It is published in a ConfigMap.")
        assertThat(schema.at("/properties/spec/properties/text/description").asText())
            .isEqualTo("The text, in Markdown.")
        assertThat(schema.at("/properties/spec/properties/copies/description").asText())
            .isEqualTo("How many copies the readers get.")
        assertThat(
                schema
                    .at("/properties/spec/properties/readers/items/properties/isGone/description")
                    .asText()
            )
            .isEqualTo("Whether the reader has left the team.")
    }

    @Test
    fun definitionRequiresWhatTheConstructorNeeds() {
        assertThat(schema.at("/required").map { it.asText() }).containsExactly("spec")
        assertThat(schema.at("/properties/spec/required").map { it.asText() })
            .containsExactly("text")
        assertThat(
                schema.at("/properties/spec/properties/readers/items/required").map { it.asText() }
            )
            .containsExactly("name")
    }

    @Test
    fun mapperUsesTheDefaultsOfTheConstructor() {
        val spec =
            KubernetesJson.mapper()
                .readValue(
                    """{"text": "Hi", "readers": [{"name": "Ada"}]}""",
                    AnnouncementSpec::class.java,
                )

        assertThat(spec).isEqualTo(AnnouncementSpec("Hi", listOf(Reader("Ada"))))
    }

    @Test
    fun messageWhenAValueIsMissingNamesItsField() {
        assertThat(messageOf(KubernetesJson.mapper()))
            .endsWith(
                "does not fit ${Announcement::class.java.name}: see field 'spec.text' (R4J-110)"
            )
    }

    @Test
    fun messageWithoutTheModuleForKotlinAsksForIt() {
        val plain = ObjectMapper()

        assertThat(messageOf(plain))
            .endsWith(
                "because Jackson cannot create a ${AnnouncementSpec::class.java.name}: add jackson-module-kotlin" +
                    " to your dependencies, or give each property a default (R4J-109)"
            )
    }

    private fun messageOf(mapper: ObjectMapper): String? {
        val failure =
            catchThrowableOfType(IOException::class.java) {
                mapper.readValue("""{"spec": {"copies": 2}}""", Announcement::class.java)
            }
        val kind = KindName("sample.reconciler4j.io", "v1", "Announcement")
        val key = ObjectKey("team", "lunch")
        return UndecodableObjectException.of(kind, key, Announcement::class.java, failure).message
    }
}

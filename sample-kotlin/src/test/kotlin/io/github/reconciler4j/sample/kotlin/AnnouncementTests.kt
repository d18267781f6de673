package io.github.reconciler4j.sample.kotlin

import io.fabric8.kubernetes.api.model.ConfigMap
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder
import io.github.reconciler4j.test.cluster.TestCluster
import io.github.reconciler4j.test.spring.OperatorTest
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.springframework.beans.factory.annotation.Autowired

@OperatorTest(generatedRole = true)
class AnnouncementTests(@Autowired private val cluster: TestCluster) {

    private val namespace = cluster.createNamespace("announcements")

    @Test
    fun announcementWhenCreatedIsPublished() {
        create(
            AnnouncementSpec(
                text = "Lunch is ready",
                readers = listOf(Reader("Ada"), Reader("Bob", isGone = true)),
                urgency = Urgency.URGENT,
            )
        )

        val page =
            cluster
                .expect(ConfigMap::class.java, namespace, "lunch")
                .toHave("/data/text", "Lunch is ready")
        assertThat(page.data["readers"]).isEqualTo("Ada")
        assertThat(page.metadata.labels["urgency"]).isEqualTo("urgent")
        val published =
            cluster
                .expect(Announcement::class.java, namespace, "lunch")
                .toHave("/status/readers", 1)
        assertThat(published.status).isEqualTo(AnnouncementStatus(1, 1))
    }

    @Test
    fun announcementWhenChangedIsPublishedAgain() {
        create(AnnouncementSpec(text = "Lunch is ready"))
        cluster
            .expect(ConfigMap::class.java, namespace, "lunch")
            .toHave("/data/text", "Lunch is ready")

        cluster.edit(Announcement::class.java, namespace, "lunch") {
            it.spec = it.spec.copy(footer = "Bring a plate")
        }

        cluster
            .expect(ConfigMap::class.java, namespace, "lunch")
            .toHave("/data/text", "Lunch is ready\nBring a plate")
    }

    private fun create(spec: AnnouncementSpec) {
        val announcement = Announcement()
        announcement.metadata = ObjectMetaBuilder().withName("lunch").build()
        announcement.spec = spec
        cluster.client().resource(announcement).inNamespace(namespace).create()
    }
}

package io.github.reconciler4j.sample.kotlin

import io.fabric8.generator.annotation.Min
import io.fabric8.kubernetes.api.model.Namespaced
import io.fabric8.kubernetes.client.CustomResource
import io.fabric8.kubernetes.model.annotation.Group
import io.fabric8.kubernetes.model.annotation.Version

/** What a team wants others to know. It is published in a ConfigMap. */
@Group("sample.reconciler4j.io")
@Version("v1")
class Announcement : CustomResource<AnnouncementSpec, AnnouncementStatus>(), Namespaced

/**
 * The announcement as its author wants it.
 *
 * @property text The text, in `Markdown`.
 */
data class AnnouncementSpec(
    val text: String,
    /** Who reads it. Without readers, it is for everybody. */
    val readers: List<Reader> = listOf(),
    /** How loud it is. */
    val urgency: Urgency = Urgency.NORMAL,
    /** How many copies the [readers] get. */
    @Min(1.0) val copies: Int = 1,
    /** What is printed below the text. */
    val footer: String? = null,
)

/** Someone who reads announcements. */
data class Reader(
    /** The name that the announcement starts with. */
    val name: String,
    /** Whether the reader has left the team. */
    val isGone: Boolean = false,
)

/** The urgency of an announcement. */
enum class Urgency {
    NORMAL,
    URGENT,
}

/** What has become of an announcement. */
data class AnnouncementStatus(
    /** How many readers it was published for. */
    val readers: Int,
    /** The generation that was published. */
    val observedGeneration: Long,
)

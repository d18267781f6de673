/** The history of pod templates, which StatefulSets and DaemonSets keep in ControllerRevisions. */
@NullMarked
package io.github.reconciler4j.controllers.internal.revision;

import org.jspecify.annotations.NullMarked;

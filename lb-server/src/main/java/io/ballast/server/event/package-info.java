/** Reports changes of state to the log and to the timeline that the dashboard shows. */
@NullMarked
package io.ballast.server.event;

import org.jspecify.annotations.NullMarked;

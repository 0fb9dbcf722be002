/** The queue of recorded requests, their conversion into spans, and the thread that sends them. */
@NullMarked
package io.ballast.telemetry.trace;

import org.jspecify.annotations.NullMarked;

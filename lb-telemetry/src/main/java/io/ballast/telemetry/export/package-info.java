/** What the exports of traces and of metrics have in common: the resource, the connection and the counters. */
@NullMarked
package io.ballast.telemetry.export;

import org.jspecify.annotations.NullMarked;

/** The admin API, live events, metrics and the web page; reads counters and hands actions to the control plane. */
@NullMarked
package io.ballast.dashboard;

import org.jspecify.annotations.NullMarked;

/**
 * The dashboard: admin API, event stream, metrics and web page. Reads counters, and passes commands to the control
 * plane.
 */
@NullMarked
package io.ballast.dashboard;

import org.jspecify.annotations.NullMarked;

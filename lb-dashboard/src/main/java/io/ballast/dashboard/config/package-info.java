/** The configuration records of the dashboard, its users and its probes. */
@NullMarked
package io.ballast.dashboard.config;

import org.jspecify.annotations.NullMarked;

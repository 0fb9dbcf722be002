/** The configuration of the OTLP export. */
@NullMarked
package io.ballast.telemetry.config;

import org.jspecify.annotations.NullMarked;

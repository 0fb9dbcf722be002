/** The configuration of the export by OTLP. */
@NullMarked
package io.ballast.telemetry.config;

import org.jspecify.annotations.NullMarked;

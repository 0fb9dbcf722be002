/** The configuration records of zones and services. */
@NullMarked
package io.ballast.dns.config.zone;

import org.jspecify.annotations.NullMarked;

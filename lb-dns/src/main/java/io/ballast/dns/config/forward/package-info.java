/** The configuration records of the forwarder: cache, filters, validation and client groups. */
@NullMarked
package io.ballast.dns.config.forward;

import org.jspecify.annotations.NullMarked;

/**
 * Validation of what resolvers say (<a href="https://datatracker.ietf.org/doc/html/rfc4035#section-5">RFC 4035 section 5</a>):
 * {@link io.ballast.dns.forward.validate.Validator} examines an answer by what is known of the keys above it, and says what it
 * found, or what it has to know beside that. It asks nothing itself, so that no thread ever waits.
 */
@NullMarked
package io.ballast.dns.forward.validate;

import org.jspecify.annotations.NullMarked;

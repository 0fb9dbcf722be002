/**
 * Validation of resolver answers (<a href="https://datatracker.ietf.org/doc/html/rfc4035#section-5">RFC 4035 section
 * 5</a>): {@link io.ballast.dns.forward.validate.Validator} validates an answer with known keys, and returns the
 * result or the missing query. It sends no queries itself, so that no thread waits.
 */
@NullMarked
package io.ballast.dns.forward.validate;

import org.jspecify.annotations.NullMarked;

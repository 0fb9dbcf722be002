/** TXT records that are served for a short time, by which a certificate authority verifies names. */
@NullMarked
package io.ballast.dns.challenge;

import org.jspecify.annotations.NullMarked;

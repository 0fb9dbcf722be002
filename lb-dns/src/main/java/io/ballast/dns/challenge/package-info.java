/** TXT records that are served for a short time, so that a certificate authority can verify names. */
@NullMarked
package io.ballast.dns.challenge;

import org.jspecify.annotations.NullMarked;

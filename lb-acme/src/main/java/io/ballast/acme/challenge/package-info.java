/** The responses to challenges of a certificate authority, and who serves them. */
@NullMarked
package io.ballast.acme.challenge;

import org.jspecify.annotations.NullMarked;

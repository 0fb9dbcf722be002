/** The responses to challenges of a certificate authority, and the listeners and zones that serve them. */
@NullMarked
package io.ballast.acme.challenge;

import org.jspecify.annotations.NullMarked;

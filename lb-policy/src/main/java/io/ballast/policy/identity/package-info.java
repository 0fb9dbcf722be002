/** Classes that several authentication policies share: known identities, and headers with credentials. */
@NullMarked
package io.ballast.policy.identity;

import org.jspecify.annotations.NullMarked;

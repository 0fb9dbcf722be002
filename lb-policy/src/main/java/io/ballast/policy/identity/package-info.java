/** Parts of all authentication policies: known identities, and headers with credentials. */
@NullMarked
package io.ballast.policy.identity;

import org.jspecify.annotations.NullMarked;

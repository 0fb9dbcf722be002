/** Authentication by API keys. Only the hashes of keys are stored. */
@NullMarked
package io.ballast.policy.apikey;

import org.jspecify.annotations.NullMarked;

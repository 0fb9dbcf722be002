/** Authentication by API keys, of which only hashes are stored. */
@NullMarked
package io.ballast.policy.apikey;

import org.jspecify.annotations.NullMarked;

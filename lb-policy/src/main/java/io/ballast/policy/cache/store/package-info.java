/**
 * The store of cached responses: bounded memory, shared by all event loops without locks. {@link
 * io.ballast.policy.cache.store.ResponseStore} finds the {@link io.ballast.policy.cache.store.UrlEntry} of a URL, which
 * contains the {@link io.ballast.policy.cache.store.StoredResponse}s for different requests for that URL.
 */
@NullMarked
package io.ballast.policy.cache.store;

import org.jspecify.annotations.NullMarked;

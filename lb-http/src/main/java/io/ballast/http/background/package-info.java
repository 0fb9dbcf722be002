/**
 * Background requests: requests that this process sends to a pool on its own account, such as mirrored requests and
 * cache revalidations.
 *
 * <p>Read first: {@link io.ballast.http.background.BackgroundClient} sends a {@link
 * io.ballast.http.background.BackgroundRequest} and passes its response to a {@link
 * io.ballast.http.background.BackgroundResponseHandler}. {@code io.ballast.http.background.exchange} implements it.
 */
@NullMarked
package io.ballast.http.background;

import org.jspecify.annotations.NullMarked;

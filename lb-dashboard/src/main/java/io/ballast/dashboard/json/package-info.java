/**
 * What the dashboard says, written as JSON straight into buffers.
 *
 * <p>{@link io.ballast.dashboard.json.JsonWriter} is the pen; every other class writes one thing. Field names are part
 * of the API and documented in docs/api.md.
 */
@NullMarked
package io.ballast.dashboard.json;

import org.jspecify.annotations.NullMarked;

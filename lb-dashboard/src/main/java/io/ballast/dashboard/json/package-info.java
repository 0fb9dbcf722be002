/**
 * JSON documents of the API, written directly into buffers.
 *
 * <p>{@link io.ballast.dashboard.json.JsonWriter} is the low-level writer; every other class writes one kind of object.
 * Field names are part of the API and documented in docs/api.md.
 */
@NullMarked
package io.ballast.dashboard.json;

import org.jspecify.annotations.NullMarked;

/**
 * JSON documents of the API. Each class writes one kind of object directly into a buffer.
 *
 * <p>Field names are part of the API and documented in docs/api.md.
 */
@NullMarked
package io.ballast.dashboard.document;

import org.jspecify.annotations.NullMarked;

/** Imports nginx files: the http and stream blocks with the directives that proxies use. */
@NullMarked
package io.ballast.config.imports.nginx;

import org.jspecify.annotations.NullMarked;

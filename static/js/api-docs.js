// The page of the API: Swagger UI, which asks nobody but this site.
"use strict";

(() => {
  const place = document.getElementById("api-docs");
  SwaggerUIBundle({
    url: place.dataset.schema,
    domNode: place,
    presets: [SwaggerUIBundle.presets.apis],
    layout: "BaseLayout",
    deepLinking: true,
    validatorUrl: null,
    requestInterceptor: (request) => {
      if (!["GET", "HEAD", undefined].includes(request.method)) {
        request.headers["X-CSRFToken"] = place.dataset.csrf;
      }
      return request;
    },
  });
})();

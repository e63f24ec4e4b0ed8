SwaggerUIBundle({ url: "/api/docs/guide.json", dom_id: "#swagger-ui" });
